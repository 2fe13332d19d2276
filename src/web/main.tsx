import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { followLiveChanges } from "./data/live.ts";
import { isEntering, pageOfItsOwn } from "./data/page-of-its-own.ts";
import { router } from "./router.tsx";
import { SettingsProvider } from "./settings.tsx";
import "./style/base.css";
import "./style/parts.css";
import "./style/timeline.css";

if (pageOfItsOwn === undefined && !isEntering) followLiveChanges();
const root = document.getElementById("root");
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <SettingsProvider>
        <RouterProvider router={router} />
      </SettingsProvider>
    </StrictMode>,
  );
}

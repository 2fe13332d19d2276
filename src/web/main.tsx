import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { isSitting } from "./data/is-sitting.ts";
import { followLiveChanges } from "./data/live.ts";
import { router } from "./router.tsx";
import { SettingsProvider } from "./settings.tsx";
import "./style/base.css";
import "./style/parts.css";
import "./style/timeline.css";

if (!isSitting) followLiveChanges();
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

/** Our program in a Windows guest, as a path of the layout: the image brings it. */
export const serveProgram = "/ale/ale-serve.exe";

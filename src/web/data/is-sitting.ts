/** Whether this page is that of a person who sits a trial: its server answers for nothing else. */
export const isSitting: boolean = /^#\/sit(\/|$)/.test(window.location.hash);

const dialogs = document.getElementsByTagName('dialog')

/** Whether a dialog is open; read from a live collection, which is fast on long pages. */
export const hasOpenDialog = (): boolean => Array.from(dialogs).some(({ open }) => open)

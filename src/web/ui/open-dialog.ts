const dialogs = document.getElementsByTagName('dialog')

/** Whether a window is open over the page; a list that the browser keeps, however long the page is. */
export const hasOpenDialog = (): boolean => Array.from(dialogs).some(({ open }) => open)

/** Downloads data as a file with this name. */
export const saveFile = (name: string, data: Blob): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(data)
  link.download = name
  link.click()
  // The browser has its own reference to the data before the next task.
  setTimeout(() => URL.revokeObjectURL(link.href))
}

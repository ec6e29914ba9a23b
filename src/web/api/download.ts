/** Starts a download by the browser, which streams the file to the disk. */
export const download = ({ url, file_name }: { url: string; file_name: string }): void => {
  const link = document.createElement('a')
  link.href = url
  // The attribute `download` makes an error a failed download with this name. An error would otherwise replace this
  // page.
  link.download = file_name
  link.click()
}

/** Place of a page that a link opens: the whole window, or a new tab. */
export type OpeningPlace = '_top' | '_blank'

/** Opens an address in a place. Returns false if the browser refuses, as in the sandbox of a frame. */
const openIn = (place: OpeningPlace, address: string): boolean => {
  let opened: Window | null = null
  try {
    opened = open(address, place)
    if (place === '_blank' && opened) opened.opener = null
  } catch {
    // Some browsers throw an error in place of returning null. A sandboxed tab refuses to forget the frame.
  }
  return !!opened
}

/**
 * Opens an address from a frame: in place of the whole window, or else in a new tab. Returns false if the frame may open
 * neither.
 */
export const openAddress = (
  address: string,
  places: readonly OpeningPlace[] = ['_top', '_blank'],
): boolean => places.some((place) => openIn(place, address))

import { useEffect } from 'react'
import type { Font } from '#domain/common/vocabulary.ts'
import { FAMILIES, FONT_WEIGHTS, fontAddress, isFamily } from '#domain/questionnaire/look/fonts.ts'

/** Loads the font of a quiz into a document, as the stylesheet of the public page does. */
export const useFont = (font: Font | undefined, page: Document | null = document): void => {
  useEffect(() => {
    if (!page?.defaultView || !isFamily(font)) return
    const { name } = FAMILIES[font]
    for (const weight of FONT_WEIGHTS) {
      const isKnown = [...page.fonts].some(
        (face) => face.family.replaceAll('"', '') === name && face.weight === String(weight),
      )
      if (isKnown) continue
      const source = `url(${fontAddress(font, weight)})`
      const options = { weight: String(weight), display: 'swap' as const }
      page.fonts.add(new page.defaultView.FontFace(name, source, options))
    }
  }, [font, page])
}

import { useEffect, useState } from 'react'

/** Modules of a QR code with its quiet zone; true for dark ones. */
export type QrModules = readonly (readonly boolean[])[]

/** Column and row of a dark module. */
type Module = [x: number, y: number]

const darkModules = (modules: QrModules): Module[] =>
  modules.flatMap((row, y) => row.flatMap((isDark, x): Module[] => (isDark ? [[x, y]] : [])))

/** Returns a QR code as an SVG document, black on white in every colour scheme. */
export const toSvg = (modules: QrModules, pixels: number): string => {
  const { length: side } = modules
  const path = darkModules(modules).map(([x, y]) => `M${x} ${y}h1v1h-1z`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${pixels}" height="${pixels}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${side}v${side}H0z"/>`,
    `<path fill="#000" d="${path.join('')}"/></svg>`,
  ].join('')
}

/** Returns the data URL of an SVG document. */
export const svgAddress = (svg: string): string =>
  `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`

/**
 * Returns the data URL of a QR code as a PNG. Each module is a whole number of pixels, so that edges are
 * sharp.
 */
export const pngAddress = (modules: QrModules, pixels: number): string => {
  const canvas = document.createElement('canvas')
  canvas.width = pixels
  canvas.height = pixels
  const context = canvas.getContext('2d')
  if (!context) throw new Error('this browser draws no canvas')
  const size = Math.floor(pixels / modules.length)
  const margin = Math.floor((pixels - size * modules.length) / 2)
  context.fillStyle = '#fff'
  context.fillRect(0, 0, pixels, pixels)
  context.fillStyle = '#000'
  for (const [x, y] of darkModules(modules))
    context.fillRect(margin + x * size, margin + y * size, size, size)
  return canvas.toDataURL('image/png')
}

/** White margin required by the QR code standard, in modules. */
const QUIET_ZONE = 4

/** Returns the QR code of a text, encoded by a library that is loaded on first use. */
export const useQrModules = (text: string): { modules: QrModules | null; isFailed: boolean } => {
  const [modules, setModules] = useState<QrModules | null>(null)
  const [isFailed, setFailed] = useState(false)
  useEffect(() => {
    let isGone = false
    const draw = async (): Promise<void> => {
      try {
        const { encode } = await import('uqr')
        if (!isGone) setModules(encode(text, { ecc: 'M', border: QUIET_ZONE }).data)
      } catch {
        if (!isGone) setFailed(true)
      }
    }
    void draw()
    return () => {
      isGone = true
    }
  }, [text])
  return { modules, isFailed }
}

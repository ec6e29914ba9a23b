import { useEffect, useState } from 'react'
import type { QrModules } from './qr-picture.ts'

/** The white margin required by the QR code standard, in modules. */
const QUIET_ZONE = 4

/** The QR code of a text, encoded by a library that is loaded when first needed. */
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

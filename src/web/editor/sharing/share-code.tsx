import { Download } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { pngAddress, type QrModules, svgAddress, toSvg, useQrModules } from './qr-code.ts'

/** Size of the downloaded picture in pixels, large enough for a poster. */
const PIXELS = 1_024

/** Shows the public link as a QR code with downloads for printing. */
export const ShareCode = ({ link, fileName }: { link: string; fileName: string }) => {
  const { modules, isFailed } = useQrModules(link)
  return (
    <section
      aria-labelledby="share-code"
      className="mt-5 flex flex-col gap-3 border-t border-line pt-4"
    >
      <h3 id="share-code" className="text-sm font-medium">
        Code QR
      </h3>
      {isFailed ? (
        <p className="text-sm text-ink-2">Le code QR n’a pas pu être chargé.</p>
      ) : (
        <div className="flex flex-wrap items-center gap-4">
          {/* Fixed size, so that nothing moves when the code is loaded. */}
          <div className="size-40 shrink-0 overflow-hidden rounded-lg border border-line">
            {modules && (
              <img
                src={svgAddress(toSvg(modules, PIXELS))}
                alt="Code QR du lien public"
                className="size-full"
              />
            )}
          </div>
          {modules && <Downloads modules={modules} fileName={fileName} />}
        </div>
      )}
    </section>
  )
}

const Downloads = ({ modules, fileName }: { modules: QrModules; fileName: string }) => (
  <div className="flex flex-col items-start gap-2">
    <Button
      icon={<Download aria-hidden="true" />}
      onClick={() => download(svgAddress(toSvg(modules, PIXELS)), `${fileName}.svg`)}
    >
      Télécharger en SVG
    </Button>
    <Button
      icon={<Download aria-hidden="true" />}
      onClick={() => download(pngAddress(modules, PIXELS), `${fileName}.png`)}
    >
      Télécharger en PNG
    </Button>
  </div>
)

const download = (address: string, name: string): void => {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}

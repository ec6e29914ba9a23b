import { useCallback, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { PLAYER_PALETTE, resolveColors } from '#domain/colors.ts'
import { groupIntoPages, indexOfPage } from '#domain/pages.ts'
import type { Draft } from '#domain/quiz.ts'
import { PREVIEW_RULES } from '#domain/scoring.ts'
import { takeSnapshot } from '#domain/snapshot.ts'
import { paletteProperties } from '#web/player/palette.ts'
import { QuizPlayer } from '#web/player/quiz-player.tsx'
import { firstIndex, NEW_RUN } from '#web/player/run.ts'
import { useFont } from '#web/preview/use-font.ts'
import { Button } from '#web/ui/button.tsx'
import { useReadSnapshot } from '#web/ui/use-read-text.ts'

/** A small phone, as wide as it is; as high as what stands below it allows. */
const SHORT_PHONE = { width: 320, height: 420 }
const TALL_PHONE = { width: 320, height: 'clamp(420px, 100dvh - 11rem, 680px)' }

export type PreviewProps = { draft: Draft; page_number: number; isTall: boolean }

/**
 * The page being edited in the player itself, on a phone: it can be answered. Its document is a frame, so that
 * widths are those of the phone and its headings are not the editor's.
 */
export const LivePreview = ({ draft, page_number, isTall }: PreviewProps) => {
  const phone = isTall ? TALL_PHONE : SHORT_PHONE
  const [body, setBody] = useState<HTMLElement | null>(null)
  const openFrame = useCallback((frame: HTMLIFrameElement | null): void => {
    const page = frame?.contentDocument
    if (!page) return
    if (page.head.childElementCount === 0) styleLike(document, page)
    setBody(page.body)
  }, [])
  const snapshot = useReadSnapshot(useMemo(() => takeSnapshot(draft), [draft]))
  const pages = useMemo(() => groupIntoPages(snapshot), [snapshot])
  const page_index = page_number < 1 ? firstIndex(snapshot) : indexOfPage(pages, page_number)
  useFont(snapshot.quiz.font, body?.ownerDocument ?? null)
  // Inert until it is tried, so that Tab goes from the questions to the tiers, not through another questionnaire.
  const [isTried, setTried] = useState(false)
  // Raised for a new run: what was tried is over as soon as the editing goes on.
  const [runs, setRuns] = useState(0)
  const begin = (): void => setRuns((count) => count + 1)
  useEffect(() => {
    if (!isTried) return
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element && target.closest('[data-page]'))) return
      setTried(false)
      setRuns((count) => count + 1)
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [isTried])
  return (
    <section aria-label="Aperçu en direct" className="flex flex-col gap-2">
      <div className="flex min-h-9 items-center justify-between">
        <h2 className="text-sm font-semibold">Aperçu</h2>
        {pages.length > 0 && (
          <Button variant="ghost" aria-pressed={isTried} onClick={() => setTried(!isTried)}>
            Essayer
          </Button>
        )}
      </div>
      {pages.length === 0 && (
        <p className="text-ink-2">La page s’affichera ici dès sa première question.</p>
      )}
      <div
        className="overflow-hidden rounded-2xl bg-card shadow-card"
        style={phone}
        hidden={pages.length === 0}
        onPointerEnter={() => setTried(true)}
      >
        <iframe
          inert={!isTried}
          title={`Aperçu de la page ${page_number} sur un téléphone`}
          ref={openFrame}
          // Some browsers replace the first document of a frame once it is loaded.
          onLoad={(event) => openFrame(event.currentTarget)}
          className="border-0"
          style={phone}
        />
      </div>
      {body &&
        createPortal(
          <QuizPlayer
            // Another page begins anew: going there would move the focus into the frame.
            key={`${page_index} ${runs}`}
            snapshot={snapshot}
            rules={PREVIEW_RULES}
            palette={paletteProperties(resolveColors(snapshot.quiz, PLAYER_PALETTE), snapshot.quiz)}
            initial={{ ...NEW_RUN, page_index }}
            after_end={
              <button type="button" className="q-next" onClick={begin}>
                Recommencer
              </button>
            }
          />,
          body,
        )}
    </section>
  )
}

/** The styles of this document for the frame's, which has the same origin. */
const styleLike = ({ head }: Document, page: Document): void => {
  page.documentElement.lang = 'fr'
  for (const style of head.querySelectorAll('link[rel=stylesheet], style'))
    page.head.append(style.cloneNode(true))
  Object.assign(page.body.style, { margin: '0', display: 'grid', minHeight: '100vh' })
}

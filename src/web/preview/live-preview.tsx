import { memo, useCallback, useEffect, useMemo, useState } from 'react'
import { createPortal } from 'react-dom'
import { groupIntoPages } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { Button } from '#web/ui/button.tsx'
import { END, type PreviewPlace, WELCOME } from './preview-path.ts'
import { PreviewRun } from './preview-run.tsx'
import { startRunAt } from './preview-runs.ts'
import { RestartButton } from './restart-button.tsx'
import { useFont } from './use-font.ts'
import { useReadSnapshot } from './use-read-snapshot.ts'

/** Size of a small phone, used while other panels are below the preview. */
const SHORT_PHONE = { width: 320, height: 420 }
const TALL_PHONE = { width: 320, height: 'clamp(420px, 100dvh - 11rem, 680px)' }

/** Props of the live preview. */
export type PreviewProps = {
  draft: Draft
  /** Place of the preview that shows what is being edited; undefined if there is none yet. */
  place: PreviewPlace | undefined
  /** Text shown while there is nothing to preview. */
  empty_text: string
  isTall: boolean
}

/**
 * Shows the page or the result being edited in the player, at the size of a phone. An iframe isolates its widths and
 * headings from the editor. Memoised, so that typing is rendered before the preview.
 */
export const LivePreview = memo(function LivePreview({
  draft,
  place,
  empty_text,
  isTall,
}: PreviewProps) {
  const phone = isTall ? TALL_PHONE : SHORT_PHONE
  const [body, setBody] = useState<HTMLElement | null>(null)
  const openFrame = useCallback((frame: HTMLIFrameElement | null): void => {
    const page = frame?.contentDocument
    if (!page) return
    if (page.head.childElementCount === 0) styleLike(document, page)
    setBody(page.body)
  }, [])
  const snapshot = useReadSnapshot(useMemo(() => takeSnapshot(draft), [draft]))
  const hasPages = useMemo(() => groupIntoPages(snapshot).length > 0, [snapshot])
  const isResult = typeof place === 'object'
  const isEmpty = place === undefined || !(isResult || hasPages)
  useFont(snapshot.quiz.font, body?.ownerDocument ?? null)
  // The preview is inert until it is tried, so that Tab does not go through the previewed questionnaire.
  const [isTried, setTried] = useState(false)
  // Number of runs; editing after a trial starts a new run.
  const [runs, setRuns] = useState(0)
  const [isRestarted, setRestarted] = useState(false)
  const begin = (): void => {
    setRestarted(true)
    setRuns((count) => count + 1)
  }
  // A restart from the end begins at the welcome screen.
  const restarts = isRestarted && (place === END || isResult)
  const run = startRunAt(snapshot, restarts || place === undefined ? WELCOME : place)
  useEffect(() => {
    if (!isTried) return
    const onFocus = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element && target.closest('[data-page], [data-item]'))) return
      setTried(false)
      setRestarted(false)
      setRuns((count) => count + 1)
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [isTried])
  return (
    <section aria-label="Aperçu en direct" className="flex flex-col gap-2">
      <div className="flex min-h-9 items-center justify-between">
        <h2 className="text-sm font-semibold">Aperçu</h2>
        {!isEmpty && (
          <div className="flex">
            {isTried && <RestartButton onRestart={begin} />}
            <Button variant="ghost" aria-pressed={isTried} onClick={() => setTried(!isTried)}>
              Essayer
            </Button>
          </div>
        )}
      </div>
      {isEmpty && <p className="text-ink-2">{empty_text}</p>}
      {isResult && snapshot.quiz.shows_detail && run.is_finished && !run.detail && (
        <p className="text-xs text-ink-2">
          Le détail s’affichera ici dès que des réponses mèneront à ce résultat.
        </p>
      )}
      <div
        className="overflow-hidden rounded-2xl bg-card shadow-card"
        style={phone}
        hidden={isEmpty}
        onPointerEnter={() => setTried(true)}
      >
        <iframe
          inert={!isTried}
          title={`Aperçu ${nameOf(place)} sur un téléphone`}
          ref={openFrame}
          // Browsers may replace the first document of a frame when it has loaded.
          onLoad={(event) => openFrame(event.currentTarget)}
          className="border-0"
          style={phone}
        />
      </div>
      {body &&
        createPortal(
          <PreviewRun
            // Another page or an edited result starts a new run. Navigation in the player would move the focus into
            // the frame.
            key={JSON.stringify([run, runs])}
            snapshot={snapshot}
            initial={run}
            onRestart={begin}
          />,
          body,
        )}
    </section>
  )
})

const nameOf = (place: PreviewPlace | undefined): string => {
  if (typeof place === 'object') return 'du résultat'
  if (place === WELCOME) return 'de l’accueil'
  return place === END ? 'de la fin' : `de la page ${place}`
}

/** Copies the styles of this document into the frame, which has the same origin. */
const styleLike = ({ head }: Document, page: Document): void => {
  page.documentElement.lang = 'fr'
  for (const style of head.querySelectorAll('link[rel=stylesheet], style'))
    page.head.append(style.cloneNode(true))
  Object.assign(page.body.style, { margin: '0', display: 'grid', minHeight: '100vh' })
}

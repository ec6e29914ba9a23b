import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { replaceIds } from '#domain/questionnaire/duplicate-draft.ts'
import { PLAYER_PALETTE, resolveColors } from '#domain/questionnaire/look/colors.ts'
import { takeSnapshot } from '#domain/questionnaire/snapshot.ts'
import { PUBLIC_RULES } from '#domain/run/scoring.ts'
import { createTemplateIds, type Template } from '#domain/templates/templates.ts'
import { NEW_RUN } from '#web/player/run/run.ts'
import { PreviewRun } from '#web/preview/preview-run.tsx'
import { useFont } from '#web/preview/use-font.ts'
import { useReadSnapshot } from '#web/preview/use-read-snapshot.ts'

/** Distance from the window at which the content of a picture is rendered. */
const RENDER_DISTANCE = '300px'

/** Returns true after the element has come near the window once. */
const useIsNear = (element: RefObject<HTMLElement | null>): boolean => {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (isNear || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true)
      },
      { rootMargin: RENDER_DISTANCE },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isNear, element])
  return isNear
}

/** Shows the first questions of a template at half size, as a picture that cannot be used. */
export const TemplatePicture = ({ template }: { template: Template }) => {
  const box = useRef<HTMLDivElement>(null)
  const isNear = useIsNear(box)
  const { bg_color } = resolveColors(template.draft.quiz, PLAYER_PALETTE)
  return (
    <div
      ref={box}
      aria-hidden="true"
      inert
      className="h-56 overflow-hidden rounded-t-xl border-b border-line"
      style={{ backgroundColor: bg_color }}
    >
      {isNear && <FirstPage template={template} />}
    </div>
  )
}

const FirstPage = ({ template: { key, draft } }: { template: Template }) => {
  const template_snapshot = useMemo(
    () => takeSnapshot(replaceIds(draft, createTemplateIds(`${key}-picture`))),
    [key, draft],
  )
  const snapshot = useReadSnapshot(template_snapshot)
  useFont(snapshot.quiz.font)
  return (
    <div className="flex min-h-112 flex-col [zoom:0.5] *:flex-1">
      {/* Starts after the welcome screen, to show choices and buttons. */}
      <PreviewRun snapshot={snapshot} rules={PUBLIC_RULES} initial={NEW_RUN} />
    </div>
  )
}

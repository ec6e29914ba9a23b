import { useId } from 'react'
import { isBlankText } from '#domain/common/text.ts'
import { CORNER_RADIUS, fontStack, isFamily } from '#domain/questionnaire/look/fonts.ts'
import { hasLook, THEMES, type ThemeLook } from '#domain/questionnaire/look/themes.ts'
import { itemsInOrder } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { useFont } from '#web/preview/use-font.ts'

/** Texts of the theme pictures: title, first question and two answers. */
type Words = { title: string; question: string; answers: string[] }

const sampleTextsOf = (draft: Draft): Words => {
  const first = itemsInOrder(draft).find(
    (item) => item.kind === 'question' && !isBlankText(item.question.text),
  )
  const question = first?.kind === 'question' ? first.question : undefined
  const answers = question?.answers.map(({ text }) => text).filter((text) => !isBlankText(text))
  return {
    title: draft.quiz.name,
    question: question?.text ?? 'Votre première question',
    answers: answers?.length ? answers.slice(0, 2) : ['Une réponse', 'Une autre réponse'],
  }
}

/** Shows the themes as small pictures of the quiz's first page. Choosing a theme is one undo step. */
export const ThemeStrip = ({
  draft,
  onChoose,
}: {
  draft: Draft
  onChoose: (look: ThemeLook) => void
}) => {
  const id = useId()
  const words = sampleTextsOf(draft)
  return (
    <section aria-labelledby={id} className="mb-6">
      <h2 id={id} className="mb-2 text-sm font-medium text-ink">
        Thèmes
      </h2>
      <ul className="-mx-1 flex gap-3 overflow-x-auto px-1 pt-1 pb-2">
        {THEMES.map(({ name, look }) => (
          <li key={name} className="shrink-0">
            <button
              type="button"
              aria-pressed={hasLook(draft.quiz, look)}
              onClick={() => onChoose(look)}
              className="flex flex-col items-center gap-1 rounded-xl p-1 text-xs text-ink-2 hover:bg-press aria-pressed:bg-brand-wash aria-pressed:font-semibold aria-pressed:text-brand"
            >
              <ThemePicture look={look} words={words} />
              {name}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Ratio of a page to its picture. */
const SCALE = 3

const ThemePicture = ({
  look: { bg_color, text_color, button_color, accent_color, font, corners },
  words: { title, question, answers },
}: {
  look: ThemeLook
  words: Words
}) => {
  useFont(font)
  const borderRadius = CORNER_RADIUS[corners] / SCALE
  return (
    <span
      aria-hidden="true"
      className="flex h-34 w-28 forced-color-adjust-none flex-col gap-1 overflow-hidden rounded-lg border border-line p-2 text-left text-[7px] leading-[9px]"
      style={{
        backgroundColor: bg_color,
        color: text_color,
        fontFamily: isFamily(font) ? fontStack(font) : 'system-ui, sans-serif',
      }}
    >
      <span className="h-0.5 w-2/5 shrink-0" style={{ backgroundColor: accent_color }} />
      <span className="line-clamp-2 shrink-0 text-[10px] leading-3 font-semibold" dir="auto">
        {title}
      </span>
      <span className="line-clamp-2 shrink-0 font-semibold" dir="auto">
        {question}
      </span>
      {answers.map((answer, rank) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: two answers may have the same text
          key={rank}
          className="shrink-0 truncate px-1.5 py-1"
          dir="auto"
          style={{
            borderRadius,
            border: `1px solid color-mix(in srgb, ${text_color} 60%, ${bg_color})`,
          }}
        >
          {answer}
        </span>
      ))}
      <span
        className="mt-auto h-4 w-12 shrink-0 self-end"
        style={{ borderRadius, backgroundColor: button_color }}
      />
    </span>
  )
}

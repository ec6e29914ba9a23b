import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { COLOR_FIELDS } from '#domain/questionnaire/fields/quiz-fields.ts'
import {
  COLOR_NAMES,
  EDITOR_PALETTE,
  PLAYER_PALETTE,
  resolveColors,
} from '#domain/questionnaire/look/colors.ts'
import { COLOR_PAIRS } from '#domain/questionnaire/look/contrasts.ts'
import type { ThemeLook } from '#domain/questionnaire/look/themes.ts'
import type { Draft, QuizColors, QuizPage } from '#domain/questionnaire/quiz.ts'
import type { DraftSession } from '#web/editor/draft/draft-session.ts'
import { AUTOSAVE_KINDS } from '#web/editor/draft/use-draft.ts'
import { colorFieldId } from '#web/editor/fields/field-ids.ts'
import { Button } from '#web/ui/button.tsx'
import { ColorField, ContrastLine } from './color-field.tsx'
import { DesignPreview } from './design-preview.tsx'
import { LookFields } from './look-fields.tsx'
import { ThemeStrip } from './theme-strip.tsx'

/** Shows themes, colours and the other design options next to a preview (product 7.12). */
export const DesignTab = ({ draft, colors }: { draft: Draft; colors: ColorActions }) => {
  const { quiz } = draft
  // Number of resets, part of the fields' key, so that a reset clears half-typed text.
  const [resets, setResets] = useState(0)
  const shown = resolveColors(quiz, EDITOR_PALETTE)
  // Contrasts are computed from the colours that visitors see, including defaults.
  const seen = resolveColors(quiz, PLAYER_PALETTE)

  const reset = (): void => {
    colors.reset()
    setResets(resets + 1)
  }
  const chooseTheme = (look: ThemeLook): void => {
    colors.choose(look)
    setResets(resets + 1)
  }

  return (
    <>
      <ThemeStrip draft={draft} onChoose={chooseTheme} />
      <div className="flex flex-wrap gap-8 max-lg:flex-col max-lg:flex-nowrap">
        {/* The scroll margin keeps a focused field below the sticky preview. */}
        <div className="flex w-full flex-col gap-5 max-lg:[&_:is(input,button)]:scroll-mt-[calc(40dvh+5rem)] lg:w-80">
          {COLOR_NAMES.map((name) => (
            <div key={`${name}-${resets}`} className="flex flex-col gap-1">
              <ColorField
                id={colorFieldId(name)}
                label={COLOR_FIELDS[name].label}
                color={shown[name]}
                onChange={(color) => colors.change(name, color)}
              />
              {quiz[name] === null && shown[name].toLowerCase() !== seen[name].toLowerCase() && (
                <p className="text-sm text-ink-2">
                  {`Pas encore choisie : vos visiteurs voient ${seen[name]}.`}
                </p>
              )}
              {COLOR_PAIRS.filter((pair) => pair.field === name).map(
                ({ label, color, against, needed }) => (
                  <ContrastLine
                    key={label}
                    label={label}
                    color={seen[color]}
                    against={seen[against]}
                    needed={needed}
                    onCorrect={(shade) => colors.change(color, shade)}
                  />
                ),
              )}
            </div>
          ))}
          <Button
            variant="secondary"
            icon={<RotateCcw aria-hidden="true" />}
            onClick={reset}
            className="self-start"
          >
            Réinitialiser
          </Button>
          <LookFields look={quiz} palette={seen} onChange={colors.choose} />
        </div>
        <DesignPreview draft={draft} />
      </div>
    </>
  )
}

const NO_COLORS: QuizColors = {
  bg_color: null,
  text_color: null,
  button_color: null,
  button_text_color: null,
  accent_color: null,
}

/** Functions that change the design of the draft. */
export type ColorActions = {
  change: (name: keyof QuizColors, color: string) => void
  /** Resets all five colours to the defaults. */
  reset: () => void
  /** Changes several design fields in one undo step. */
  choose: (look: Partial<QuizColors & QuizPage>) => void
}

/** Returns functions that change the design of the draft. Dragging through a palette is one undo step. */
export const useColors = (session: DraftSession): ColorActions => {
  const choose = (look: Partial<QuizColors & QuizPage>, undoGroupKey: string | null): void =>
    session.change((draft) => ({ ...draft, quiz: { ...draft.quiz, ...look } }), {
      undoGroupKey,
      ...AUTOSAVE_KINDS.colors,
    })
  return {
    change: (name, color) => choose({ [name]: color }, name),
    reset: () => choose(NO_COLORS, null),
    choose: (look) => choose(look, null),
  }
}

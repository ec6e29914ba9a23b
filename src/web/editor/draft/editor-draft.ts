import { applyChanges, associationOf } from '#domain/apply-changes.ts'
import { lastPage, renumber } from '#domain/arrange.ts'
import { changesBetween, isEmpty } from '#domain/changes.ts'
import { mergeDrafts } from '#domain/merge.ts'
import type { Choices, Clash, Versions } from '#domain/merging.ts'
import type { Draft } from '#domain/quiz.ts'
import type { LoadedDraft } from './draft-server.ts'

/** What the editors show of one quiz. */
export type EditorDraft = Draft & {
  /** Pages on screen, empty ones included: only those with an item after them are stored. */
  page_count: number
  /** The revision at which the server held this; it says nothing of what is only shown. */
  revision: number
}

/** What the server holds, as the editors write it: an association has no id of its own there. */
export const openDraft = (loaded: LoadedDraft): EditorDraft => ({
  ...loaded,
  questions: loaded.questions.map((question) => ({
    ...question,
    answers: question.answers.map((answer) => ({
      ...answer,
      associations: answer.associations.map(associationOf),
    })),
  })),
  page_count: lastPage(loaded),
})

/**
 * What is stored of what is shown (spec §5): neither text blocks that are blank nor a blank name, instead of
 * which the quiz keeps the one it has.
 */
export const storable = (shown: EditorDraft, stored: EditorDraft): EditorDraft => {
  const name = shown.quiz.name.trim() || stored.quiz.name
  const named = name === shown.quiz.name ? shown : { ...shown, quiz: { ...shown.quiz, name } }
  const isFilled = ({ content }: { content: string }): boolean => content.trim() !== ''
  if (shown.text_blocks.every(isFilled)) return named
  const text_blocks = shown.text_blocks.filter(isFilled)
  return { ...named, ...renumber({ questions: shown.questions, text_blocks }) }
}

/** True when there is nothing to save between the two. */
export const isSameDraft = (shown: EditorDraft, stored: EditorDraft): boolean =>
  shown === stored || isEmpty(changesBetween(stored, storable(shown, stored)))

/** What has just been loaded, made of the same objects as `known` wherever it says the same. */
export const sharing = (known: EditorDraft, loaded: EditorDraft): EditorDraft => ({
  ...loaded,
  ...applyChanges(known, changesBetween(known, loaded)),
  quiz: loaded.quiz,
})

/** Two editings as one draft, blank fields and empty pages of mine still being there. */
export const mergeEditing = (
  { base, mine, theirs }: Versions<EditorDraft>,
  choices: Choices,
): { draft: EditorDraft; clashes: Clash[] } => {
  const isUnnamed = mine.quiz.name.trim() === ''
  const { draft, clashes } = mergeDrafts(
    { base, mine: isUnnamed ? withName(mine, base.quiz.name) : mine, theirs },
    choices,
  )
  const isStillUnnamed = isUnnamed && draft.quiz.name === base.quiz.name
  return {
    draft: {
      ...(isStillUnnamed ? withName(draft, mine.quiz.name) : draft),
      page_count: Math.max(mine.page_count, lastPage(draft)),
      revision: theirs.revision,
    },
    clashes,
  }
}

const withName = <D extends Draft>(draft: D, name: string): D => ({
  ...draft,
  quiz: { ...draft.quiz, name },
})

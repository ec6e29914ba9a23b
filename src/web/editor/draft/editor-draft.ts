import { isBlankText, trimText } from '#domain/common/text.ts'
import { applyChanges, toAssociation } from '#domain/editing/apply-changes.ts'
import { type Changes, changesBetween, hasNoChanges } from '#domain/editing/changes.ts'
import { lastPage } from '#domain/questionnaire/arrange.ts'
import { renumber } from '#domain/questionnaire/pages.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { createParticipantUuid } from '#web/player/run/participant-uuid.ts'
import type { LoadedDraft } from './draft-server.ts'

/** Returns a UUID for a row created in the browser, which the server keeps (product 5.5). */
export const newId = (): string => createParticipantUuid()

/** Draft of one quiz as the editor screens show it. */
export type EditorDraft = Draft & {
  /**
   * Number of pages on screen, including empty ones. The server stores an empty page only if an item follows.
   */
  page_count: number
  /** Revision of the stored draft that this draft is based on. */
  revision: number
  /** Last non-blank name of each result whose name field was emptied, by id. */
  last_names: Readonly<Record<string, string>>
}

/**
 * Returns the loaded draft as the editor screens show it. Each association gets an id made of its answer and
 * its result.
 */
export const toEditorDraft = (loaded: LoadedDraft): EditorDraft => ({
  ...loaded,
  questions: loaded.questions.map((question) => ({
    ...question,
    answers: question.answers.map((answer) => ({
      ...answer,
      associations: answer.associations.map(toAssociation),
    })),
  })),
  page_count: lastPage(loaded),
  last_names: {},
})

/** Returns the changed draft, with the previous names of results whose name was emptied by the change. */
export const rememberResultNames = (before: EditorDraft, after: EditorDraft): EditorDraft => {
  if (after.results === before.results) return after
  const names = new Map(before.results.map(({ id, name }) => [id, name]))
  const emptied = after.results.flatMap(({ id, name }) => {
    const last = names.get(id) ?? ''
    return isBlankText(name) && !isBlankText(last) ? [[id, last]] : []
  })
  if (emptied.length === 0) return after
  return { ...after, last_names: { ...after.last_names, ...Object.fromEntries(emptied) } }
}

/**
 * Returns the draft as the server stores it (product 2.2, 3.3): without blank text blocks, and with the last name where
 * a name is blank.
 */
export const toStorableDraft = (shown: EditorDraft, stored: EditorDraft): EditorDraft => {
  const last = new Map([...Object.entries(shown.last_names), ...namesOf(stored)])
  const named = withNames(
    shown,
    new Map(
      [...namesOf(shown)].map(([id, name]) => [id, trimText(name) || (last.get(id) ?? name)]),
    ),
  )
  const isFilled = ({ content }: { content: string }): boolean => !isBlankText(content)
  if (shown.text_blocks.every(isFilled)) return named
  const text_blocks = shown.text_blocks.filter(isFilled)
  return { ...named, ...renumber({ questions: shown.questions, text_blocks }) }
}

/** Returns true if the two drafts are equal in the form that the server stores. */
export const isSameDraft = (shown: EditorDraft, stored: EditorDraft): boolean =>
  shown === stored || hasNoChanges(changesBetween(stored, toStorableDraft(shown, stored)))

/** Returns the draft with these changes applied. */
export const withChanges = (draft: EditorDraft, changes: Changes): EditorDraft => ({
  ...draft,
  ...applyChanges(draft, changes),
})

/**
 * Returns the loaded draft with the objects of `known` where both are equal, so that memoised components are
 * not rendered again.
 */
export const reuseUnchanged = (known: EditorDraft, loaded: EditorDraft): EditorDraft => ({
  ...loaded,
  ...applyChanges(known, changesBetween(known, loaded)),
  quiz: loaded.quiz,
})

/** Returns the names of the quiz and its results by id, filtered by `has`. */
export const namesOf = (
  { quiz, results }: Draft,
  has: (name: string, id: string) => boolean = () => true,
): Map<string, string> =>
  new Map(
    [quiz, ...results].filter(({ id, name }) => has(name, id)).map(({ id, name }) => [id, name]),
  )

/** Returns the draft with the given names, keyed by id. */
export const withNames = <D extends Draft>(draft: D, names: ReadonlyMap<string, string>): D => {
  if (names.size === 0) return draft
  const renamed = <Named extends { id: string; name: string }>(item: Named): Named => {
    const name = names.get(item.id) ?? item.name
    return name === item.name ? item : { ...item, name }
  }
  return { ...draft, quiz: renamed(draft.quiz), results: draft.results.map(renamed) }
}

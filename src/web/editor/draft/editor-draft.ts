import { isBlankText, trimText } from '#domain/common/text.ts'
import { applyChanges, toAssociation } from '#domain/editing/apply-changes.ts'
import { type Changes, changesBetween, isEmpty } from '#domain/editing/changes.ts'
import { mergeDrafts } from '#domain/editing/merge-drafts.ts'
import type { Choices, EditConflict, Versions } from '#domain/editing/merge-rows.ts'
import { lastPage, renumber } from '#domain/questionnaire/arrange.ts'
import type { Draft } from '#domain/questionnaire/quiz.ts'
import { createParticipantUuid } from '#web/player/run/participant-uuid.ts'
import type { LoadedDraft } from './draft-server.ts'

/** A UUID for a row created in the browser; the server keeps it (decisions « Temporary ids »). */
export const newId = (): string => createParticipantUuid()

/** What the editors show of one quiz. */
export type EditorDraft = Draft & {
  /** Pages on screen, empty ones included: only those with an item after them are stored. */
  page_count: number
  /** The revision of the stored draft that this one is based on. */
  revision: number
  /** The last name of each result whose name was emptied, by id. */
  last_names: Readonly<Record<string, string>>
}

/** The loaded draft as the editors write it: their associations have no id. */
export const openDraft = (loaded: LoadedDraft): EditorDraft => ({
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

/** The draft after a change, remembering the names of results that the change has emptied. */
export const withLastNames = (before: EditorDraft, after: EditorDraft): EditorDraft => {
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
 * The part of the shown draft that is stored (spec §5): no blank text blocks, and in place of a blank name the
 * last name of the quiz or the result.
 */
export const storable = (shown: EditorDraft, stored: EditorDraft): EditorDraft => {
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

/** True when there is nothing to save between the two. */
export const isSameDraft = (shown: EditorDraft, stored: EditorDraft): boolean =>
  shown === stored || isEmpty(changesBetween(stored, storable(shown, stored)))

/** The draft after these changes. */
export const changed = (draft: EditorDraft, changes: Changes): EditorDraft => ({
  ...draft,
  ...applyChanges(draft, changes),
})

/** The loaded draft, with the objects of `known` wherever they are equal, so that memoised components stay. */
export const sharing = (known: EditorDraft, loaded: EditorDraft): EditorDraft => ({
  ...loaded,
  ...applyChanges(known, changesBetween(known, loaded)),
  quiz: loaded.quiz,
})

/** Merges two editings into one draft, with the blank fields and empty pages of mine. */
export const mergeEditing = (
  { base, mine, theirs }: Versions<EditorDraft>,
  choices: Choices,
): { draft: EditorDraft; clashes: EditConflict[] } => {
  // An emptied name is not a change of the stored draft.
  const emptied = namesOf(mine, isBlankText)
  const { draft, clashes } = mergeDrafts(
    {
      base,
      mine: withNames(
        mine,
        namesOf(base, (_, id) => emptied.has(id)),
      ),
      theirs,
    },
    choices,
  )
  const merged = namesOf(draft)
  const unchanged = namesOf(base, (name, id) => emptied.has(id) && merged.get(id) === name)
  return {
    draft: {
      ...withNames(
        draft,
        namesOf(mine, (_, id) => unchanged.has(id)),
      ),
      page_count: Math.max(mine.page_count, lastPage(draft)),
      revision: theirs.revision,
      last_names: mine.last_names,
    },
    clashes,
  }
}

/** The names of the quiz and of its results by their ids, filtered by `has`. */
const namesOf = (
  { quiz, results }: Draft,
  has: (name: string, id: string) => boolean = () => true,
): Map<string, string> =>
  new Map(
    [quiz, ...results].filter(({ id, name }) => has(name, id)).map(({ id, name }) => [id, name]),
  )

/** The draft with these names, by id. */
const withNames = <D extends Draft>(draft: D, names: ReadonlyMap<string, string>): D => {
  if (names.size === 0) return draft
  const renamed = <Named extends { id: string; name: string }>(one: Named): Named => {
    const name = names.get(one.id) ?? one.name
    return name === one.name ? one : { ...one, name }
  }
  return { ...draft, quiz: renamed(draft.quiz), results: draft.results.map(renamed) }
}

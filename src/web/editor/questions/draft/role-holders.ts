import { createContext } from 'react'
import type { ContactRole } from '#domain/common/vocabulary.ts'
import { contactRoleOf } from '#domain/questionnaire/contact-roles.ts'
import type { Dimension } from '#domain/questionnaire/dimensions.ts'
import type { Content } from '#domain/questionnaire/pages.ts'
import { numbersOf } from '#web/editor/fields/field-labels.ts'

/** Question that asks for a part of the contact data, with its number from 1. */
export type RoleHolder = { id: string; role: ContactRole; number: number }

/** Returns the questions with a role. */
export const roleHolders = (content: Content): RoleHolder[] => {
  const numbers = numbersOf(content)
  return content.questions.flatMap((question) => {
    const role = contactRoleOf(question)
    return role ? { id: question.id, role, number: numbers.get(question.id) ?? 0 } : []
  })
}

/** Questions with a role, for the option panels of all questions. */
export const RoleHoldersContext = createContext<readonly RoleHolder[]>([])

/** Dimensions of the quiz, for the summaries of the options of all questions. */
export const DimensionsContext = createContext<readonly Dimension[]>([])

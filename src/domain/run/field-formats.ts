import type { QuestionType } from '#domain/common/vocabulary.ts'

/** Pattern of a phone field: at least six digits, with any other characters between them. */
export const PHONE_PATTERN = '(?:\\D*\\d){6,}\\D*'

/** Pattern of an email field: a domain with a dot, whose last part does not begin with a digit. */
export const EMAIL_PATTERN = '.+@.+[.。][^\\d.。][^.。]*'

/** Message for an address with an accent before the @. */
export const ACCENTED_EMAIL = 'Une adresse email n’a pas d’accent avant le @.'

/** Messages for replies whose format does not match the question type. */
export const WRONG_FORMAT: Partial<Record<QuestionType, string>> = {
  email: 'Saisissez une adresse email complète, par exemple nom@exemple.fr.',
  phone: 'Saisissez un numéro d’au moins six chiffres, par exemple 06 12 34 56 78.',
  number: 'Saisissez un nombre, par exemple 123.',
  date: 'Saisissez une date complète, par exemple 31/12/2026.',
}

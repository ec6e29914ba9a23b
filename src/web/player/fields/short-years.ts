import { asksForBirthday, EARLIEST_DAY, withFullYear } from '#domain/common/days.ts'
import type { SecondFileParts } from '#web/player/parts.ts'

/** Completes the years of two digits in the fields of a page, and refuses earlier years than a visitor can give. */
export const completeYears: SecondFileParts['completeYears'] = (page) => {
  for (const field of page.querySelectorAll<HTMLInputElement>('[type=date]')) {
    // A day that is typed in part has a blank value, and setting it would empty the field.
    if (field.value)
      field.value = withFullYear(field.value, {
        is_birthday: asksForBirthday(`${field.closest('.q-item')?.textContent}`),
        this_year: new Date().getFullYear(),
      })
    // The page itself has no such limit, because without scripts it would refuse years of two digits.
    field.min = EARLIEST_DAY
  }
}

/** @jsxImportSource #web/player */
import { suggestEmail } from '#domain/common/email-slips.ts'
import { createRenderer } from '#web/player/jsx-runtime.ts'
import { type EmailSlipParts, parts } from '#web/player/parts.ts'
import type { FieldProps } from './field-props.ts'
import './email-suggestion.css'

/** Addresses about which the visitor was asked, in this page. */
const asked = new Set<string>()

/** Resolves after the press in progress, so that a suggestion never moves the button under the pointer. */
let press: Promise<void> | undefined

/** Returns the element of the suggestion below a field. It exists before its text, so that screen readers announce the text. */
const regionOf = (input: HTMLInputElement): HTMLElement => {
  const { nextElementSibling: next } = input
  if (next?.matches('.q-slip')) return next as HTMLElement
  const region = document.createElement('div')
  region.classList.add('q-slip')
  region.setAttribute('role', 'status')
  input.after(region)
  return region
}

const Suggestion = ({
  quiz,
  address,
  onChoice,
}: Pick<FieldProps, 'quiz'> & { address: string; onChoice: (accepted: boolean) => void }) => (
  <>
    <button key={address} type="button" className="q-back" onClick={() => onChoice(true)}>
      {`${parts.wordingOf(quiz, 'Vouliez-vous dire')} `}
      <span translate="no">{address}</span>
      {' ?'}
    </button>
    <button type="button" className="q-back" onClick={() => onChoice(false)}>
      Non
    </button>
  </>
)

/** Shows a suggestion below a field, or none if `address` is undefined. */
const show = (
  input: HTMLInputElement,
  { quiz }: Pick<FieldProps, 'quiz'>,
  address: string | undefined,
): void => {
  const region = regionOf(input)
  region.replaceChildren()
  if (address === undefined) return
  asked.add(input.value)
  const onChoice = (accepted: boolean): void => {
    region.replaceChildren()
    if (accepted) {
      input.value = address
      // The player reads the field after this event.
      input.dispatchEvent(new Event('input', { bubbles: true }))
    }
    input.focus()
  }
  createRenderer(region)(<Suggestion quiz={quiz} address={address} onChoice={onChoice} />)
}

/** Hides the suggestion while the visitor types, and shows one when the field is left with a slip. */
export const updateSuggestion: EmailSlipParts['updateSuggestion'] = async (
  field,
  { type, currentTarget: input },
) => {
  if (type === 'input') return show(input, field, undefined)
  if (type === 'focus') return void regionOf(input)
  const { value } = input
  if (press) await press
  const address = suggestEmail(value)
  if (address && value === input.value && !asked.has(value)) show(input, field, address)
}

/**
 * Asks once about each address with a slip before the visitor leaves the page. A second press of the button goes on.
 * Fields without a valid address and missing replies keep their own messages.
 */
const askBeforeLeaving = (event: Event): void => {
  const form = event.target as HTMLFormElement
  if (!form.matches('.q-page')) return
  press = undefined
  for (const input of form.querySelectorAll<HTMLInputElement>('[type=email]:enabled')) {
    const isNew = !asked.has(input.value)
    // The player reads the field after this event, which shows the suggestion too.
    input.dispatchEvent(new Event('change', { bubbles: true }))
    const isBlocked = form.querySelector('[aria-disabled]') || !input.validity.valid
    if (!isNew || !asked.has(input.value) || isBlocked) continue
    event.preventDefault()
    event.stopPropagation()
    regionOf(input).querySelector('button')?.focus()
    return
  }
}

/** Starts to ask about typing slips on a page. */
export const watchEmails = (page: Document): void => {
  page.addEventListener('submit', askBeforeLeaving, true)
  page.addEventListener(
    'mousedown',
    () => {
      press = new Promise((resolve) => {
        const end = (): void => {
          press = undefined
          resolve()
        }
        // The click that follows the release may leave the page, or ask itself.
        page.addEventListener('mouseup', () => setTimeout(end), { once: true })
      })
    },
    true,
  )
}

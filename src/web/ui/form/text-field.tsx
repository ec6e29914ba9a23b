import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'

/** Classes of a text field or a select. */
export const CONTROL =
  'w-full rounded-lg border border-field bg-paper px-3 text-base text-ink placeholder:text-ink-3 disabled:bg-wash disabled:text-ink-3 aria-invalid:border-bad pointer-coarse:min-h-11'

/** Errors of fields that the server refused, by the id of their input. */
export const RefusedFields = createContext<Readonly<Record<string, string>>>({})

/** The texts around a control. */
export type FieldTexts = { label: string; hideLabel?: boolean; error?: string; hint?: string }

/** The attributes that connect a control to its label, hint and error. */
type ControlAttributes = {
  id: string
  'aria-invalid': boolean | undefined
  'aria-describedby': string | undefined
}

/** Renders a label, a hint and an error around one control. */
export const Field = ({
  id: givenId,
  label,
  hideLabel = false,
  error: ownError,
  hint,
  children,
}: FieldTexts & { id?: string; children: (attributes: ControlAttributes) => ReactNode }) => {
  const ownId = useId()
  const id = givenId ?? ownId
  const refused = useContext(RefusedFields)[id]
  const error = ownError ?? refused
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'text-sm font-medium text-ink'}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': about || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm text-bad">
          {error}
        </p>
      )}
    </div>
  )
}

type SingleLine = { multiline?: false } & ComponentProps<'input'>
type MultiLine = { multiline: true } & ComponentProps<'textarea'>

/** Renders a labelled text field; `multiline` grows with its text. */
export const TextField = (props: FieldTexts & (SingleLine | MultiLine)) => {
  const { label, hideLabel, error, hint, value, maxLength } = props
  // Browsers cut a pasted text at the limit without a message.
  const isFull = typeof value === 'string' && value.length >= (maxLength ?? Infinity)
  const full = `Limite atteinte : ${maxLength?.toLocaleString('fr-FR')} caractères au plus.`
  return (
    <Field
      id={props.id}
      label={label}
      hideLabel={hideLabel}
      error={error ?? (isFull ? full : undefined)}
      hint={hint}
    >
      {(attributes) => <Control props={props} attributes={attributes} />}
    </Field>
  )
}

const Control = ({
  props,
  attributes,
}: {
  props: FieldTexts & (SingleLine | MultiLine)
  attributes: { id: string }
}) => {
  if (props.multiline) {
    const { multiline, label, hideLabel, error, hint, className = '', ...rest } = props
    return (
      <GrowingTextArea
        dir="auto"
        {...rest}
        {...attributes}
        className={`${CONTROL} field-sizing-content resize-none py-2 ${className}`}
      />
    )
  }
  const { multiline, label, hideLabel, error, hint, className = '', ...rest } = props
  return <input dir="auto" {...rest} {...attributes} className={`${CONTROL} h-10 ${className}`} />
}

/** Renders a text area that is as high as its text. Safari before version 26.2 has no CSS for this. */
const GrowingTextArea = ({ ref, ...attributes }: ComponentProps<'textarea'>) => {
  const area = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => area.current as HTMLTextAreaElement)
  // After each change of the text.
  useLayoutEffect(() => fitHeight(area.current))
  useEffect(() => {
    if (!area.current || hasFieldSizing()) return
    let fitted_width = 0
    let frame = 0
    // The next frame, because a change of the observed size during its notification is an error.
    const observer = new ResizeObserver(([entry]) => {
      const width = entry?.contentRect.width ?? 0
      if (width === fitted_width) return
      fitted_width = width
      frame = requestAnimationFrame(() => fitHeight(area.current))
    })
    observer.observe(area.current)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])
  return <textarea {...attributes} ref={area} />
}

const hasFieldSizing = (): boolean => CSS.supports('field-sizing', 'content')

/** Sets the height of a visible text area to its text if CSS cannot. */
const fitHeight = (area: HTMLTextAreaElement | null): void => {
  if (!area || hasFieldSizing() || !area.checkVisibility({ contentVisibilityAuto: true })) return
  const { style, offsetHeight } = area
  // The margin keeps the page as long as before, so that it does not scroll.
  Object.assign(style, { height: '0', overflow: 'hidden', marginBlockEnd: `${offsetHeight}px` })
  const height = area.scrollHeight + area.offsetHeight - area.clientHeight
  Object.assign(style, { height: `${height}px`, overflow: '', marginBlockEnd: '' })
}

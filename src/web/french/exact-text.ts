import type { ReactNode } from 'react'
import { wrapText } from './jsx-runtime.ts'

/** Renders a text of the specification with its plain spaces, which the JSX runtime would tie. */
export const ExactText = ({ children }: { children: string }): ReactNode => wrapText(children)

/** Renders a text of the specification with its plain spaces. A component's own text does not pass the JSX runtime. */
export const ExactText = ({ children }: { children: string }): string => children

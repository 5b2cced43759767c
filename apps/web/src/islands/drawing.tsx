import { Component, type ReactNode } from 'react'
import type { Shown } from '../message.ts'

interface Props {
  shown: Shown
  children: ReactNode
}

/** Keeps the page alive when a result cannot be drawn, and says so in its place. React has this as a class only. */
export class Drawing extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  override componentDidCatch(error: unknown) {
    reportError(error)
  }

  override componentDidUpdate({ shown }: Props) {
    if (this.state.failed && shown !== this.props.shown) this.setState({ failed: false })
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="note bad" role="alert">
        <p>This result cannot be drawn. It is whole all the same: copy it as JSON.</p>
      </div>
    )
  }
}

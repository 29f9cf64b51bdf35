/** @jsxImportSource preact */
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core'
import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** The rows of a scrolled list that are drawn, of `count` rows of `size` pixels each. */
export function useVirtual(count: number, size: number, scroller: RefObject<HTMLElement | null>) {
  const [, draw] = useState(0)
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => size,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    overscan: 12,
    onChange: () => draw((times) => times + 1),
  }
  const [virtual] = useState(() => new Virtualizer<HTMLElement, Element>(options))
  virtual.setOptions(options)
  useLayoutEffect(() => virtual._didMount(), [virtual])
  useLayoutEffect(() => virtual._willUpdate())
  const items = virtual.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  return {
    /** Indexes of the drawn rows. */
    drawn: items.map(({ index }) => index),
    /** Heights in pixels of what is not drawn, before and after. */
    before: first?.start ?? 0,
    after: last ? virtual.getTotalSize() - last.end : 0,
    reveal: (index: number) => virtual.scrollToIndex(index),
  }
}

/** Row in place of rows that are not drawn, of `height` pixels across `width` columns; nothing without height. */
export function Gap({ height, width }: { readonly height: number; readonly width: number }) {
  if (height <= 0) return null
  return (
    <tr class="gap" aria-hidden="true">
      <td colSpan={width} height={height} />
    </tr>
  )
}

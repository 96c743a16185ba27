/// A first-in, first-out queue with amortized constant-time insertion and removal.
@usableFromInline package struct Queue<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable package init() {}

  @inlinable package var isEmpty: Bool { head == elements.count }

  @inlinable package var count: Int { elements.count - head }

  /// The oldest element, or `nil` if the queue is empty.
  @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

  /// The element at the given position, where the oldest element is at position zero.
  package subscript(place: Int) -> Element? { elements[head + place] }

  @inlinable package mutating func append(_ element: Element) {
    elements.append(element)
  }

  @inlinable package mutating func popFirst() -> Element? {
    guard head < elements.count else { return nil }
    let element = elements[head].take()
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 64)
      head = 0
    } else if head > 1024, head > elements.count / 2 {
      elements.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Removes and returns the newest element, or returns `nil` if the queue is empty.
  @inlinable package mutating func popLast() -> Element? {
    guard head < elements.count, let element = elements.popLast() else { return nil }
    if head == elements.count {
      elements.removeAll(keepingCapacity: true)
      head = 0
    }
    return element
  }
}

extension Queue {
  /// Returns the newest element that satisfies the predicate, or `nil` if there is none.
  package func last(where matches: (Element) -> Bool) -> Element? {
    elements[head...].last { $0.map(matches) ?? false } ?? nil
  }
}

extension Queue: Sendable where Element: Sendable {}

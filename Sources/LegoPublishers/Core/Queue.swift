/// A first-in, first-out queue that gives back its memory once it has been emptied.
public struct Queue<Element> {
  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable public init() {}

  @inlinable public var isEmpty: Bool { head == elements.count }

  @inlinable public var count: Int { elements.count - head }

  @inlinable public mutating func append(_ element: Element) {
    elements.append(element)
  }

  @inlinable public mutating func popFirst() -> Element? {
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

  @inlinable public func contains(where predicate: (Element) -> Bool) -> Bool {
    elements[head...].contains { $0.map(predicate) ?? false }
  }

  @inlinable public mutating func forEach(_ body: (inout Element) -> Void) {
    for index in head..<elements.count {
      if var element = elements[index] {
        body(&element)
        elements[index] = element
      }
    }
  }
}

extension Queue: Sendable where Element: Sendable {}

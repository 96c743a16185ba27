/// The changes that wait to be told, first in, first out.
///
/// It gives back its memory once it has been emptied.
@usableFromInline
struct RecordQueue<Design: Equatable & Sendable, Change: Equatable & Sendable>:
  Sendable
{
  @usableFromInline typealias Element = Record<Design, Change>

  @usableFromInline var elements: [Element?] = []
  @usableFromInline var head = 0

  @inlinable init() {}

  @inlinable var isEmpty: Bool { head == elements.count }

  @inlinable var count: Int { elements.count - head }

  @inlinable mutating func append(_ element: Element) {
    elements.append(element)
  }

  @inlinable mutating func popFirst() -> Element? {
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

  /// Whether anything waits that a build caused.
  func contains(root: UInt64) -> Bool {
    elements[head...].contains { $0?.telling.root == root }
  }

  /// Makes the adaptors pass over what a build caused.
  mutating func stopAnswering(_ root: UInt64) {
    for index in head..<elements.count where elements[index]?.telling.root == root {
      elements[index]?.telling.isAnswered = false
    }
  }
}

internal import Synchronization

extension Joint where Part.Design: Identifiable, Part.Design.ID == Key {
  /// The screens of a stack, or of what is presented.
  @inlinable static func screens<Holder: ScreenHolder>(
    _ place: any KeyPath<Whole.Design, Holder> & Sendable,
    _ change: CasePath<Whole.Change, (Key, Part.Change)>
  ) -> Joint where Holder.Screen == Part.Design {
    Joint(
      place: place, canGo: true, extract: { change.extract($0).map { ($0.0, $0.1) } },
      embed: { change.embed(($0, $1)) }, only: nil, lookup: { .screen(of: place, $0) },
      read: { $0[keyPath: place].stack[id: $1] },
      all: { $0[keyPath: place].stack.map { ($0.id, $0) } }
    ).sharing { $0[keyPath: place].stack }
  }

  /// The same for screens of which a stack and the one before it share what they have in common.
  @usableFromInline func sharing(
    _ stack: @escaping @Sendable (Whole.Design) -> Stack<Part.Design>
  ) -> Joint {
    var joint = self
    joint.touched = { design, memory in
      let stack = stack(design)
      let earlier = memory as? Stack<Part.Design>
      memory = stack
      return earlier.map { stack.touched(since: $0).map { AnySendableHashable($0.id) } }
    }
    joint.quickLooks = { begin in
      let memory = Mutex(ScreenLooks<Part>())
      return { design in
        // It is taken out, so that it is changed without a copy.
        var looks = memory.withLock { looks in
          defer { looks = ScreenLooks() }
          return looks
        }
        let due = looks.take(stack(design), begin)
        memory.withLock { [looks] in $0 = looks }
        return due
      }
    }
    return joint
  }
}

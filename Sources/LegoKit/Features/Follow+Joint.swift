internal import Synchronization

extension Follow {
  /// The same, as an effect of the whole: it follows each part for as long as the part is there.
  func joined<Whole: Blueprint, Key>(by joint: Joint<Whole, B, Key>) -> Follow<Whole> {
    Follow<Whole>(id: id) { [begin] in
      let memory = Mutex(PartLooks<Key, B>())
      return { design in
        let parts = joint.all(design)
        // Designs come one at a time; the lock only proves it, and is free while parts are compared.
        var looks = memory.withLock { $0 }
        let due = looks.take(parts, begin).compactMap { key, part, look in
          look(part).map { effect in
            effect.map { joint.embed(key, $0) }.part(joint.step(to: key))
          }
        }
        memory.withLock { [looks] in $0 = looks }
        return due.isEmpty ? nil : .merge(due)
      }
    }
  }
}

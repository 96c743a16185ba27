internal import Synchronization

extension Follow {
  /// The same, as an effect of the whole: it follows each part for as long as the part is there.
  func joined<Whole: Blueprint, Key>(by joint: Joint<Whole, B, Key>) -> Follow<Whole> {
    Follow<Whole>(id: id) { [begin] in
      let looks = Mutex<[Key: Look]>([:])
      return { design in
        let parts = joint.all(design)
        let effects = looks.withLock { looks in
          let earlier = looks
          looks = [:]
          for (key, _) in parts { looks[key] = earlier[key] ?? begin() }
          return looks
        }
        let due = parts.compactMap { key, part in
          effects[key]?(part).map { effect in
            effect.map { joint.embed(key, $0) }.part(joint.step(to: key))
          }
        }
        return due.isEmpty ? nil : .merge(due)
      }
    }
  }
}

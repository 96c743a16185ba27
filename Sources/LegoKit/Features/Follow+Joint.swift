extension Follow {
  /// The same, as an effect of the whole: it follows each part for as long as the part is there.
  func joined<Whole: Blueprint, Key>(by joint: Joint<Whole, B, Key>) -> Follow<Whole> {
    Follow<Whole>(id: id) { [begin] in
      let looks = joint.looks(begin)
      return { design in
        let due = looks(design).compactMap { key, part, look in
          look(part).map { effect in
            effect.map { joint.embed(key, $0) }.part(joint.step(to: key))
          }
        }
        return due.isEmpty ? nil : .merge(due)
      }
    }
  }
}

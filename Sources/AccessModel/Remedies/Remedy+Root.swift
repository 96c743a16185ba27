extension Remedy {
  /// The same remedy for a shell outside of the root directory that the subject has.
  ///
  /// A path below `RootDirectory=` has that directory before it there, except where systemd shows
  /// the machine's own `/dev`.
  func outside(of root: String, _ access: AccessCase) -> Remedy {
    var remedy = self
    for index in remedy.steps.indices {
      let places = remedy.steps[index].changes.compactMap(\.place).filter { place in
        let mount = access.mount(of: place)?.at
        return mount != "/dev" && mount?.hasPrefix("/dev/") != true
      }
      remedy.steps[index].commands = remedy.steps[index].commands.map { command in
        for place in places where command.hasSuffix(" " + place.shellQuoted) {
          return command.dropLast(place.shellQuoted.count) + (root + place).shellQuoted
        }
        return command
      }
    }
    return remedy
  }
}

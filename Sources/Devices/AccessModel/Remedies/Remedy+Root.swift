extension Remedy {
  /// Returns the remedy for a shell outside the subject's root directory.
  ///
  /// Outside, paths in the commands start with the directory from `RootDirectory=`, except for the
  /// machine's own `/dev`, which systemd shows in the service.
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

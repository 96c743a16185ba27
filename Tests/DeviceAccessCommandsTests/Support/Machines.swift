import DevicePermissionsTesting

/// The machines on which the tests run commands.
enum Machines {
  /// Returns a laptop with a camera and its metadata sibling, which bob uses locally and alice over
  /// SSH.
  static func laptop(
    running user: String = "alice", _ configure: (inout MachineDescription) -> Void = { _ in }
  ) -> InMemoryMachine {
    InMemoryMachine { machine in
      machine.addUser("bob", id: 1000)
      machine.addUser("alice", id: 1001)
      machine.addCamera(metadataSibling: true)
      machine.addDirectory("/home/alice/Pictures", owner: "alice", group: "alice")
      machine.run(as: user)
      machine.logIn("bob")
      machine.logIn("alice", seat: nil)
      configure(&machine)
    }
  }
}

package import DevicePermissionsTesting

/// A sample machine that several test targets use.
package enum AlbumMachine {
  /// Creates a machine on which alice runs the program, bob is another user, and no album exists.
  package static func make(
    portal: InMemoryPortal? = nil, _ configure: (inout MachineDescription) -> Void = { _ in }
  ) -> InMemoryMachine {
    InMemoryMachine(portal: portal) {
      $0.addUser("alice", id: 1000)
      $0.addUser("bob", id: 1001)
      configure(&$0)
      $0.run(as: "alice")
    }
  }
}

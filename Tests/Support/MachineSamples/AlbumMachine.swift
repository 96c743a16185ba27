package import DevicePermissionsTesting

/// The machines that more than one target of tests asks.
package enum AlbumMachine {
  /// One that alice runs on, with bob as another user and no pictures directory yet.
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

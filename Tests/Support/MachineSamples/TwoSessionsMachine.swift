public import DevicePermissionsTesting

extension InMemoryMachine {
  /// Returns a machine with a camera, on which alice has the active session and bob another one.
  public static func twoSessions() -> InMemoryMachine {
    InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addUser("bob", id: 1001)
      $0.addCamera()
      $0.run(as: "alice")
      $0.logIn("bob")
      $0.logIn("alice")
    }
  }
}

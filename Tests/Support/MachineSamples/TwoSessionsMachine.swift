public import DevicePermissionsTesting

extension InMemoryMachine {
  /// A machine with a camera, run by alice, whose session is the active one; bob has another.
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

import AccessModel
import DevicePermissionsTesting

extension MachineDescription {
  /// A desktop of alice's, who is logged in: with a camera, and pictures in a folder that is there.
  mutating func addDesktop(pictures: String) {
    addUser("alice", id: 1000)
    addCamera()
    logIn("alice")
    run(as: "alice")
    addDirectory(pictures, mode: 0o700, owner: "alice")
    environment["XDG_PICTURES_DIR"] = pictures
  }
}

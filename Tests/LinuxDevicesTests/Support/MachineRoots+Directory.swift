import LinuxDevices
import LinuxTestSupport

extension MachineRoots {
  /// Creates the roots of a machine with all its files below a test's directory.
  init(below directory: borrowing TemporaryDirectory) {
    self.init()
    sysfs = "\(directory.path)/sys"
    proc = "\(directory.path)/proc"
    etc = "\(directory.path)/etc"
    run = "\(directory.path)/run"
    lib = "\(directory.path)/usr/lib"
    modules = "\(directory.path)/modules"
  }
}

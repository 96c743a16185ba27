import LinuxDevices
import LinuxTestSupport

extension MachineRoots {
  /// A machine all of whose files are below a directory of a test's own.
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

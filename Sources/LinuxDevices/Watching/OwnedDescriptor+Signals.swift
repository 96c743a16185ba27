internal import AccessModel
internal import CLinux

extension OwnedDescriptor {
  /// A descriptor that becomes readable when the process gets one of some signals, which then do
  /// nothing else; of the calling thread, and of threads that it starts.
  ///
  /// Those that the process was started to ignore, as by nohup(1) or in the background of a script, stay
  /// ignored.
  init(taking signals: [Int32]) throws(Errno) {
    try unsafe self.init(negated: clinux_take_signals(signals, signals.count))
  }

  /// Has signals that were taken do what they did before.
  static func giveBack(_ signals: [Int32]) {
    unsafe clinux_give_signals_back(signals, signals.count)
  }
}

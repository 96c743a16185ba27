internal import AccessModel
internal import CLinux

extension OwnedDescriptor {
  /// Creates a descriptor that becomes readable when one of the given signals is pending.
  ///
  /// The signals are blocked on the calling thread and on threads that it starts later, so they
  /// have no other effect. Signals that the process was started to ignore, as by nohup(1), stay
  /// ignored.
  init(taking signals: [Int32]) throws(Errno) {
    try unsafe self.init(negated: clinux_take_signals(signals, signals.count))
  }

  /// Unblocks signals on the calling thread, which restores their original effect.
  static func giveBack(_ signals: [Int32]) {
    unsafe clinux_give_signals_back(signals, signals.count)
  }
}

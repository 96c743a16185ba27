internal import AccessModel

/// The kernel counts the links of a walk twice when it has to start the walk again.
///
/// A walk begins without taking references (`LOOKUP_RCU`). When it cannot go on like that it
/// starts again with them, but `nameidata.total_link_count` keeps what it counted so far: from 21
/// links on the second walk ends with `ELOOP`. It happens
/// - always, when `may_follow_link` is about to refuse a link and the walk is still the first
///   one. Whether it still is depends on the access times of the links before;
/// - rarely, when something else on the machine was mounted or unmounted at that moment.
///
/// Seen on Linux 6.18; a case holds nothing that would tell. Both answers refuse.
enum DoubleCount {
  /// Whether the kernel's answer is what becomes of a link that it refuses.
  static func explains(_ disagreement: Disagreement) -> Bool {
    mayExplain(disagreement) && disagreement.model.rule == .symlinkProtected
  }

  /// Whether the walk followed so many links that a second one exceeds the limit.
  static func mayExplain(_ disagreement: Disagreement) -> Bool {
    let links = disagreement.model.steps.count { step in
      if case .followLink = step.action { true } else { false }
    }
    return disagreement.kernel == .tooManyLinks && links > 20
  }
}

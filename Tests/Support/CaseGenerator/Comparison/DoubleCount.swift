internal import AccessModel

/// Recognizes cases in which the kernel counts the links of a path twice.
///
/// The kernel starts a path lookup without taking references (`LOOKUP_RCU`). If it cannot continue,
/// it starts again and takes references, but `nameidata.total_link_count` keeps its value. With 21
/// or more links, the second attempt therefore fails with `ELOOP`. This happens:
/// - always, if `may_follow_link` is about to deny a link during the first attempt. Whether the
///   lookup is still in the first attempt depends on the access times of the previous links.
/// - rarely, if something on the machine is mounted or unmounted at the same time.
///
/// It was observed on Linux 6.18. A case contains no facts that predict it. In the first situation,
/// both answers deny access.
enum DoubleCount {
  /// Returns whether a double count explains the answer, because the kernel denies a link.
  static func explains(_ disagreement: Disagreement) -> Bool {
    mayExplain(disagreement) && disagreement.model.rule == .symlinkProtected
  }

  /// Returns whether the lookup followed so many links that a double count exceeds the limit.
  static func mayExplain(_ disagreement: Disagreement) -> Bool {
    let links = disagreement.model.steps.count { step in
      if case .followLink = step.action { true } else { false }
    }
    return disagreement.kernel == .tooManyLinks && links > 20
  }
}

@_exported public import LegoPublishers

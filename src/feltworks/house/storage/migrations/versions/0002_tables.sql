CREATE TABLE person (
    name TEXT NOT NULL,
    role TEXT NOT NULL,
    secret TEXT NOT NULL,
    active INTEGER DEFAULT '1' NOT NULL,
    failures INTEGER DEFAULT '0' NOT NULL,
    locked_until TEXT,
    PRIMARY KEY (name),
    CONSTRAINT named CHECK (trim(name) <> ''),
    CONSTRAINT failures_count_up CHECK (failures >= 0)
)
--;
CREATE TABLE period (
    id INTEGER NOT NULL,
    table_name TEXT NOT NULL,
    day TEXT NOT NULL,
    shift TEXT NOT NULL,
    game TEXT NOT NULL,
    as_ordered TEXT NOT NULL,
    deviations TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT day_is_a_day CHECK (length(day) = 10)
)
--;
CREATE TABLE slip (
    kind TEXT NOT NULL,
    serial BIGINT NOT NULL,
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    period INTEGER NOT NULL,
    cents BIGINT NOT NULL,
    PRIMARY KEY (kind, serial),
    FOREIGN KEY(book, number) REFERENCES posting (book, number),
    FOREIGN KEY(period) REFERENCES period (id),
    CONSTRAINT known_slip CHECK (kind IN ('opener', 'closer', 'fill', 'credit', 'drop', 'count', 'error'))
)
--;
CREATE TABLE slip_void (
    kind TEXT NOT NULL,
    serial BIGINT NOT NULL,
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (kind, serial),
    FOREIGN KEY(kind, serial) REFERENCES slip (kind, serial),
    FOREIGN KEY(book, number) REFERENCES posting (book, number)
)
--;
CREATE TABLE signature (
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    position TEXT NOT NULL,
    person TEXT NOT NULL,
    role TEXT NOT NULL,
    PRIMARY KEY (book, number, position),
    CONSTRAINT signs_once UNIQUE (book, number, person),
    FOREIGN KEY(book, number) REFERENCES posting (book, number),
    FOREIGN KEY(person) REFERENCES person (name)
)
--;
CREATE TABLE stake (
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    line INTEGER NOT NULL,
    period INTEGER NOT NULL,
    wager TEXT NOT NULL,
    cents BIGINT NOT NULL,
    count BIGINT NOT NULL,
    PRIMARY KEY (book, number, line),
    FOREIGN KEY(book, number) REFERENCES posting (book, number),
    FOREIGN KEY(period) REFERENCES period (id),
    CONSTRAINT something_wagered CHECK (cents > 0 AND count > 0)
)
--;
CREATE TABLE task (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    period INTEGER NOT NULL,
    raised_at TEXT NOT NULL,
    due_at TEXT,
    says TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(book, number) REFERENCES posting (book, number),
    FOREIGN KEY(period) REFERENCES period (id),
    CONSTRAINT known_task CHECK (kind IN ('notice', 'verification'))
)
--;
CREATE TABLE task_done (
    task INTEGER NOT NULL,
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (task),
    FOREIGN KEY(task) REFERENCES task (id),
    FOREIGN KEY(book, number) REFERENCES posting (book, number)
)
--;
CREATE INDEX period_by_day ON period (day)
--;
CREATE INDEX period_by_table ON period (table_name, id)
--;
CREATE INDEX slip_by_period ON slip (period)
--;
CREATE INDEX stake_by_period ON stake (period)

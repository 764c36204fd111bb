CREATE TABLE house (
    id INTEGER NOT NULL,
    books TEXT NOT NULL,
    public_key TEXT,
    PRIMARY KEY (id),
    CONSTRAINT one_house CHECK (id = 1)
)
--;
CREATE TABLE all_tasks (
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    period INTEGER,
    subject TEXT NOT NULL,
    raised_at TEXT NOT NULL,
    due_at TEXT,
    says TEXT NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(book, number) REFERENCES posting (book, number),
    FOREIGN KEY(period) REFERENCES period (id),
    CONSTRAINT known_task CHECK (kind IN ('notice', 'verification', 'deck check', 'revision'))
)
--;
CREATE TABLE all_tasks_done (
    task INTEGER NOT NULL,
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (task),
    FOREIGN KEY(task) REFERENCES all_tasks (id),
    FOREIGN KEY(book, number) REFERENCES posting (book, number)
)
--;
INSERT INTO all_tasks (id, kind, book, number, period, subject, raised_at, due_at, says)
SELECT task.id, task.kind, task.book, task.number, task.period, period.table_name, task.raised_at, task.due_at,
    task.says
FROM task JOIN period ON period.id = task.period
--;
INSERT INTO all_tasks_done (task, book, number) SELECT task, book, number FROM task_done
--;
DROP TABLE task_done
--;
DROP TABLE task
--;
ALTER TABLE all_tasks RENAME TO task
--;
ALTER TABLE all_tasks_done RENAME TO task_done
--;
CREATE TABLE closing (
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    first TEXT NOT NULL,
    last TEXT NOT NULL,
    book INTEGER NOT NULL,
    number BIGINT NOT NULL,
    PRIMARY KEY (name),
    FOREIGN KEY(book, number) REFERENCES posting (book, number),
    CONSTRAINT known_closing CHECK (kind IN ('day', 'month', 'quarter', 'year'))
)
--;
ALTER TABLE progressive ADD COLUMN noticed TEXT
--;
ALTER TABLE person ADD COLUMN temporary INTEGER DEFAULT '0' NOT NULL
--;
CREATE INDEX posting_by_day ON posting (day, book)
--;
CREATE INDEX slip_by_posting ON slip (book, number)
--;
CREATE INDEX slip_void_by_posting ON slip_void (book, number)
--;
CREATE INDEX task_by_posting ON task (book, number)
--;
CREATE INDEX task_done_by_posting ON task_done (book, number)
